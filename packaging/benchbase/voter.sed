# Each vote looks at both lists, which never change. Votes belong to their telephone.
/^CREATE TABLE (contestants|area_code_state) /,/^\);/s/^\);/) REPLICATED;/
/^CREATE TABLE votes /,/^\);/s/^\);/) PARTITION ON COLUMN phone_number;/
