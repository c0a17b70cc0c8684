package io.github.flowablepubsub.inbox;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ibatis.executor.parameter.ParameterHandler;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.mapping.SqlSource;
import org.apache.ibatis.parsing.PropertyParser;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.scripting.defaults.RawSqlSource;
import org.apache.ibatis.scripting.xmltags.XMLLanguageDriver;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.type.TypeHandler;
import org.jspecify.annotations.Nullable;

/**
 * {@link DialectSql} for an insert of many rows: what follows {@code values} is repeated for each element of the only
 * parameter. The text for a number of rows is made once. MyBatis' {@code foreach} reads all placeholders of all rows at
 * each call, which was half of the time that storing took.
 */
public final class RowsSql extends XMLLanguageDriver {

    private static final String VALUES = "values";

    @Override
    public SqlSource createSqlSource(Configuration configuration, String script, @Nullable Class<?> parameterType) {
        String translated = PropertyParser.parse(
                DialectSql.translate(script, DialectSql.dialect(configuration)), configuration.getVariables());
        int row = translated.indexOf(VALUES) + VALUES.length();
        String insert = translated.substring(0, row);
        BoundSql one = new RawSqlSource(configuration, translated.substring(row), NewMessage.class).getBoundSql(null);
        Map<Integer, String> texts = new ConcurrentHashMap<>();
        return parameter -> new BoundSql(
                configuration,
                texts.computeIfAbsent(rows(parameter).size(), count -> insert + repeat(one.getSql(), count)),
                one.getParameterMappings(),
                parameter);
    }

    private static String repeat(String row, int count) {
        return String.join(",", Collections.nCopies(count, row));
    }

    @Override
    public ParameterHandler createParameterHandler(MappedStatement statement, Object parameter, BoundSql sql) {
        return new ParameterHandler() {
            @Override
            public Object getParameterObject() {
                return parameter;
            }

            @Override
            public void setParameters(PreparedStatement prepared) throws SQLException {
                int index = 1;
                for (Object row : rows(parameter)) {
                    MetaObject values = statement.getConfiguration().newMetaObject(row);
                    for (ParameterMapping mapping : sql.getParameterMappings()) {
                        set(prepared, index++, mapping, values.getValue(mapping.getProperty()));
                    }
                }
            }
        };
    }

    @SuppressWarnings("unchecked") // the mapping has the handler of its property's type
    private static void set(PreparedStatement prepared, int index, ParameterMapping mapping, @Nullable Object value)
            throws SQLException {
        ((TypeHandler<Object>) mapping.getTypeHandler()).setParameter(prepared, index, value, mapping.getJdbcType());
    }

    /** MyBatis hands over a list as it is, or under its names. */
    private static Collection<?> rows(Object parameter) {
        return parameter instanceof Map<?, ?> named
                ? (Collection<?>) named.values().iterator().next()
                : (List<?>) parameter;
    }
}
