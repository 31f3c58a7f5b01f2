# Categories and their attributes never change: each partition has all of them.
# None is deleted, so nothing need go with it.
s/(REFERENCES (category|global_attribute_group) \([a-z_]*\)) ON DELETE CASCADE/\1/
/^CREATE TABLE (config_profile|region|category|global_attribute_group|global_attribute_value) /,/^\);/s/^\);/) REPLICATED;/
