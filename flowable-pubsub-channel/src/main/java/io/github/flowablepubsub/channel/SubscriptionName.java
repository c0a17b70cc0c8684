package io.github.flowablepubsub.channel;

import java.util.regex.Pattern;

/**
 * Name of a Pub/Sub subscription. Only what Pub/Sub can never accept is refused; whether the subscription exists is found
 * out when it is opened.
 */
record SubscriptionName() implements ValueType<String> {

    private static final String NAME = "[A-Za-z][A-Za-z0-9._~+%-]{0,254}";
    private static final Pattern ALLOWED =
            Pattern.compile("(projects/[A-Za-z0-9][A-Za-z0-9.:_-]{0,99}/subscriptions/)?" + NAME);

    @Override
    public String read(Object value) throws Refusal {
        if (value instanceof String text && ALLOWED.matcher(text).matches()) {
            return text;
        }
        throw new Refusal("must be a subscription: a short name such as orders-sub (a letter, then letters, digits and"
                + " -._~+%), or projects/PROJECT/subscriptions/NAME");
    }
}
