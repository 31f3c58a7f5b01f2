# Categories and their attributes never change: each partition has all of them.
/^CREATE TABLE (config_profile|region|category|global_attribute_group|global_attribute_value) /,/^\);/s/^\);/) REPLICATED;/
