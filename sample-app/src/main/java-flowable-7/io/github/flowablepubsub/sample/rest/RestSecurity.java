package io.github.flowablepubsub.sample.rest;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/** Health is open, the process REST API wants its user, and nothing else is served. */
@Configuration(proxyBeanMethods = false)
class RestSecurity {

    @Bean
    SecurityFilterChain restSecurityFilterChain(HttpSecurity http) throws Exception {
        PathPatternRequestMatcher.Builder path = PathPatternRequestMatcher.withDefaults();
        return http.authorizeHttpRequests(
                        requests -> requests.requestMatchers(path.matcher("/actuator/health/**"), path.matcher("/error"))
                                .permitAll()
                                .requestMatchers(path.matcher("/process-api/**"))
                                .authenticated()
                                .anyRequest()
                                .denyAll())
                .httpBasic(withDefaults())
                // For programs, which send the password each time. Don't log in here with a browser: it keeps the password.
                .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .build();
    }

    @Bean
    UserDetailsService restUsers(RestUser user) {
        return new InMemoryUserDetailsManager(
                User.withUsername(user.name()).password("{noop}" + user.password()).build());
    }
}
