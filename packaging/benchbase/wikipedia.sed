# Defaults that are longer than their columns: an error at the first use in PostgreSQL, and at the definition in Fulmar.
# No row uses them.
s/DEFAULT '(\\0)+'/DEFAULT ''/
