# Countries, airports and airlines never change: each partition has all of them.
/^CREATE TABLE (config_profile|config_histograms|country|airport|airport_distance|airline) /,/^\);/s/^\);/) REPLICATED;/
