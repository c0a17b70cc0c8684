package io.github.flowablepubsub.bench;

import java.sql.SQLException;

/** A database with the product's tables, and what its SQL says differently. */
interface Tables {

    void sql(String... statements) throws SQLException;

    /** The number that a query answers. */
    long number(String query) throws SQLException;

    /** A table of one column {@code g} with these numbers. */
    String series(int from, int to);

    /** Inserts those that are not there yet. */
    String insertNew(String rows);

    /** What the database does by itself sooner or later. */
    void analyze(String... tables) throws SQLException;
}
