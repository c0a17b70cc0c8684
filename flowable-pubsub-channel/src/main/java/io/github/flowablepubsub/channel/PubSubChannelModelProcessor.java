package io.github.flowablepubsub.channel;

import io.github.flowablepubsub.inbox.ChannelId;
import org.flowable.common.engine.impl.cfg.TransactionContext;
import org.flowable.common.engine.impl.cfg.TransactionState;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.eventregistry.api.ChannelModelProcessor;
import org.flowable.eventregistry.api.EventRegistry;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.flowable.eventregistry.model.ChannelModel;

/**
 * Flowable's hook for channels of type {@code pubsub}. It only tells that something changed, after the commit: the
 * pipeline does not exist yet when Flowable calls it, the deployment may roll back, and for equal JSON Flowable keeps one
 * consumer for two versions, so that its calls alone do not tell which consumers are the right ones.
 */
public final class PubSubChannelModelProcessor implements ChannelModelProcessor {

    /** Channel type, the value of {@code type} in the file. */
    public static final String TYPE = "pubsub";

    private final ChannelRegistry registry;
    private final Runnable changed;

    /**
     * @param registry the channels that this node knows
     * @param changed runs after the transaction of a deployment, committed or not; must not block
     */
    public PubSubChannelModelProcessor(ChannelRegistry registry, Runnable changed) {
        this.registry = registry;
        this.changed = changed;
    }

    @Override
    public boolean canProcess(ChannelModel channelModel) {
        return channelModel instanceof PubSubInboundChannelModel;
    }

    @Override
    public boolean canProcessIfChannelModelAlreadyRegistered(ChannelModel channelModel) {
        return canProcess(channelModel);
    }

    @Override
    public void registerChannelModel(
            ChannelModel channelModel,
            String tenantId,
            EventRegistry eventRegistry,
            EventRepositoryService eventRepositoryService,
            boolean fallbackToDefaultTenant) {
        ChannelId claim = registry.requireOwnSubscription(
                (PubSubInboundChannelModel) channelModel, tenantId, eventRepositoryService);
        TransactionContext transaction = Context.getTransactionContext();
        if (transaction != null) {
            transaction.addTransactionListener(TransactionState.ROLLED_BACK, context -> registry.releaseClaim(claim));
        }
        changedAfterTransaction();
    }

    @Override
    public void unregisterChannelModel(
            ChannelModel channelModel, String tenantId, EventRepositoryService eventRepositoryService) {
        changedAfterTransaction();
    }

    private void changedAfterTransaction() {
        TransactionContext transaction = Context.getTransactionContext();
        if (transaction == null) {
            changed.run();
        } else {
            transaction.addTransactionListener(TransactionState.COMMITTED, context -> changed.run());
            transaction.addTransactionListener(TransactionState.ROLLED_BACK, context -> changed.run());
        }
    }
}
