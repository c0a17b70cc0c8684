package io.github.flowablepubsub.starter;

import io.github.flowablepubsub.engine.PubSubEngineConfigurator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.filter.UrlHandlerFilter;

/**
 * Lets Flowable's Admin UI 6.8 list jobs, parked messages among them: it asks Flowable's process REST API for {@code
 * management/jobs/} and the like, and Spring 6 and later answer paths with a trailing slash with an error. Takes part only
 * where an app has that API, and changes no other path.
 */
@AutoConfiguration(
        after = PubSubAutoConfiguration.class,
        afterName = "org.flowable.spring.boot.RestApiAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({UrlHandlerFilter.class, ServletRegistrationBean.class})
@ConditionalOnBean(PubSubEngineConfigurator.class)
@Conditional(PubSubAdminUiAutoConfiguration.OnProcessApi.class)
@ConditionalOnProperty(
        prefix = "flowable.pubsub.admin",
        name = "trailing-slash",
        havingValue = "true",
        matchIfMissing = true)
public class PubSubAdminUiAutoConfiguration {

    /** Flowable's bean for the servlet of its process REST API. */
    static final String PROCESS_API = "processService";

    /** An app may have a bean of that name that is something else. */
    static final class OnProcessApi implements ConfigurationCondition {

        @Override
        public ConfigurationPhase getConfigurationPhase() {
            return ConfigurationPhase.REGISTER_BEAN;
        }

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            return beans != null
                    && beans.containsBean(PROCESS_API)
                    && beans.isTypeMatch(PROCESS_API, ServletRegistrationBean.class);
        }
    }

    /** Just before Spring Security's filter chain, which so sees the path that is served. */
    private static final int BEFORE_SECURITY = -101;

    /**
     * Serves {@code <process API>/x/} as {@code <process API>/x}, without a redirect. Which paths are the API's, the servlet
     * container decides by the mapping of Flowable's servlet ({@code flowable.process.servlet.path}): the handler's own
     * patterns would have to know the context path, too.
     */
    @Bean
    @ConditionalOnMissingBean(name = "pubSubTrailingSlashFilter")
    FilterRegistrationBean<UrlHandlerFilter> pubSubTrailingSlashFilter(
            @Qualifier(PROCESS_API) ServletRegistrationBean<?> processApi) {
        FilterRegistrationBean<UrlHandlerFilter> filter = new FilterRegistrationBean<>(
                UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build());
        filter.setUrlPatterns(processApi.getUrlMappings());
        filter.setOrder(BEFORE_SECURITY);
        return filter;
    }
}
