package dev.fulmar.simulator.mutation;

import dev.fulmar.simulator.campaign.CampaignProcess;
import dev.fulmar.simulator.cluster.CatalogCampaignProcess;
import dev.fulmar.simulator.cluster.ClusterCampaignProcess;
import dev.fulmar.simulator.cluster.MovesCampaignProcess;
import dev.fulmar.simulator.crash.CrashCampaignProcess;
import java.util.Locale;

/** A campaign that planted bugs are tried on. Its process takes the first and the last seed. */
public enum StandardCampaign {
    /** Histories of clients. */
    SERIALIZABILITY(CampaignProcess.class),
    /** Crashes and recoveries. */
    DURABILITY(CrashCampaignProcess.class),
    /** Clusters in which things go wrong. */
    CLUSTER(ClusterCampaignProcess.class),
    /** The same, with clients that change the catalog. */
    CATALOG(CatalogCampaignProcess.class),
    /** Clusters in which keys are moved between partitions. */
    MOVES(MovesCampaignProcess.class);

    private final Class<?> process;

    StandardCampaign(Class<?> process) {
        this.process = process;
    }

    static StandardCampaign of(String name) {
        return valueOf(name.strip().toUpperCase(Locale.ROOT));
    }

    Class<?> process() {
        return process;
    }
}
