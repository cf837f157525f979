"""Every match-up of a study, played until it is known well enough."""
