package io.github.flowablepubsub.server;

import com.google.protobuf.FieldMask;
import com.google.protobuf.util.FieldMaskUtil;
import com.google.pubsub.v1.DeadLetterPolicy;
import com.google.pubsub.v1.RetryPolicy;
import com.google.pubsub.v1.Subscription;

/** Checks the settings of a subscription and fills in the defaults. */
final class SubscriptionConfig {

    private SubscriptionConfig() {}

    static Subscription complete(Subscription request) {
        Subscription.Builder config = request.toBuilder().setState(Subscription.State.ACTIVE);
        if (config.getAckDeadlineSeconds() == 0) {
            config.setAckDeadlineSeconds(Limits.DEFAULT_ACK_DEADLINE_SECONDS);
        }
        Limits.requireAckDeadline(config.getAckDeadlineSeconds());
        if (!config.hasMessageRetentionDuration()) {
            config.setMessageRetentionDuration(Limits.DEFAULT_RETENTION);
        }
        Limits.requireRetention(config.getMessageRetentionDuration());
        if (config.hasDeadLetterPolicy()) {
            complete(config.getDeadLetterPolicyBuilder());
        }
        if (config.hasRetryPolicy()) {
            complete(config.getRetryPolicyBuilder());
        }
        return config.build();
    }

    private static void complete(DeadLetterPolicy.Builder policy) {
        if (policy.getMaxDeliveryAttempts() == 0) {
            policy.setMaxDeliveryAttempts(Limits.DEFAULT_DELIVERY_ATTEMPTS);
        }
        Limits.requireDeliveryAttempts(policy.getMaxDeliveryAttempts());
    }

    private static void complete(RetryPolicy.Builder policy) {
        if (!policy.hasMinimumBackoff()) {
            policy.setMinimumBackoff(Limits.DEFAULT_MINIMUM_BACKOFF);
        }
        if (!policy.hasMaximumBackoff()) {
            policy.setMaximumBackoff(Limits.MAX_BACKOFF);
        }
        Limits.requireBackoff(policy.getMinimumBackoff(), policy.getMaximumBackoff());
    }

    static Subscription update(Subscription current, Subscription request, FieldMask mask) {
        if (mask.getPathsCount() == 0) {
            throw Errors.invalid("The update_mask in the UpdateSubscriptionRequest must be set");
        }
        mask.getPathsList().forEach(SupportedFields::requireUpdatable);
        Subscription.Builder config = current.toBuilder();
        FieldMaskUtil.MergeOptions replace = new FieldMaskUtil.MergeOptions()
                .setReplaceMessageFields(true)
                .setReplaceRepeatedFields(true)
                .setReplacePrimitiveFields(true);
        FieldMaskUtil.merge(mask, request, config, replace);
        return complete(config.build());
    }
}
