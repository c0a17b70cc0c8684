package io.github.flowablepubsub.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxPayloadSerializer;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** namastack-outbox with its own order per key, one application context per node. */
final class Namastack implements Side {

    /** Its batch is of keys; it takes one batch per poll. */
    private static final int BATCH = 500;

    private static final String POLL = "5ms";

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class App {}

    /** Does nothing with a record. */
    static final class Handler implements OutboxTypedHandler<String> {
        private final Countdown countdown;

        Handler(Countdown countdown) {
            this.countdown = countdown;
        }

        @Override
        public void handle(String payload, OutboxRecordMetadata metadata) {
            countdown.one();
        }
    }

    /** Texts as they are. */
    static final class Texts implements OutboxPayloadSerializer {
        @Override
        public String serialize(Object payload) {
            return payload.toString();
        }

        @Override
        public <T> T deserialize(String serialized, Class<T> type) {
            return type.cast(serialized);
        }
    }

    @Override
    public String name() {
        return "namastack-outbox 1.6.0 (ordered)";
    }

    @Override
    public Run run(Db db, int nodes, int threads, List<String> keys) throws Exception {
        Countdown countdown = new Countdown(keys.size());
        List<ConfigurableApplicationContext> contexts = new ArrayList<>();
        try {
            for (int i = 0; i < nodes; i++) {
                contexts.add(context(db.pool(threads + 3), threads, countdown));
            }
            db.await("select count(distinct instance_id) from outbox_partition", nodes, 60);
            AtomicLong start = new AtomicLong();
            Outbox outbox = contexts.get(0).getBean(Outbox.class);
            new TransactionTemplate(contexts.get(0).getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> {
                        keys.forEach(key -> outbox.schedule(Models.completion(key), key));
                        start.set(System.nanoTime());
                    });
            Cost.reset(db);
            double seconds = countdown.await(start.get());
            return new Run(seconds, Cost.of(db));
        } finally {
            contexts.forEach(ConfigurableApplicationContext::close);
        }
    }

    private static ConfigurableApplicationContext context(HikariDataSource pool, int threads, Countdown countdown) {
        return new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .bannerMode(org.springframework.boot.Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(
                        "namastack.outbox.polling.batch-size=" + BATCH,
                        "namastack.outbox.polling.fixed.interval=" + POLL,
                        "namastack.outbox.processing.executor-core-pool-size=" + threads,
                        "namastack.outbox.processing.executor-max-pool-size=" + threads,
                        "namastack.outbox.instance.heartbeat-interval=1s",
                        "namastack.outbox.instance.rebalance-interval=1s",
                        "spring.jmx.enabled=false",
                        "logging.level.root=WARN")
                .initializers(context -> {
                    GenericApplicationContext beans = (GenericApplicationContext) context;
                    beans.registerBean(DataSource.class, () -> pool);
                    beans.registerBean(Handler.class, () -> new Handler(countdown));
                    beans.registerBean(OutboxPayloadSerializer.class, Texts::new);
                })
                .run();
    }
}
