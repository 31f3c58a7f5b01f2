package dev.fulmar.coordinator.draft;

import dev.fulmar.coordinator.change.ChangeQueue;
import dev.fulmar.coordinator.change.PasswordSealing;
import dev.fulmar.coordinator.statement.Statements;

/** The node's parts that check statements of drafts. */
public record DraftTools(Statements statements, ChangeQueue changes, PasswordSealing passwords) {}
