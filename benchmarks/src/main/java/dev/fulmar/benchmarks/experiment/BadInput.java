package dev.fulmar.benchmarks.experiment;

import dev.fulmar.benchmarks.hostile.HostileTrial;

/** Careless and hostile clients get clear errors, and no other client notices. */
public final class BadInput implements Experiment {
    @Override
    public String name() {
        return "bad-input";
    }

    @Override
    public String meaning() {
        return "bad requests fail alone and with clear errors (acceptance point 6)";
    }

    @Override
    public Findings run(Settings settings) throws Exception {
        Findings findings = new Findings(name(), settings.quick(), "none");
        HostileTrial.Outcome outcome = HostileTrial.run(settings.quick(), settings.seed(), settings.output());
        outcome.surprises().forEach(settings.output());
        findings.check("bad-input.surprises", outcome.surprises().size());
        findings.series("cases", outcome.cases());
        findings.series("connectionsWithNonsense", outcome.connections());
        findings.series("bystanderCalls", outcome.bystanderCalls());
        findings.series("surprises", outcome.surprises());
        return findings;
    }
}
