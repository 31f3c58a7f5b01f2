-- Voter: callers vote for contestants, each phone number a limited number of times.
CREATE TABLE contestants (contestant_number INTEGER NOT NULL, contestant_name VARCHAR(50) NOT NULL, PRIMARY KEY (contestant_number)) REPLICATED;
CREATE TABLE area_code_state (area_code SMALLINT NOT NULL, state VARCHAR(2) NOT NULL, PRIMARY KEY (area_code)) REPLICATED;
CREATE TABLE votes (
  vote_id BIGINT NOT NULL, phone_number BIGINT NOT NULL, state VARCHAR(2) NOT NULL, contestant_number INTEGER NOT NULL,
  created TIMESTAMP NOT NULL,
  PRIMARY KEY (phone_number, vote_id));
PARTITION TABLE votes ON COLUMN phone_number;
CREATE TABLE votes_by_phone (phone_number BIGINT NOT NULL, num_votes INTEGER NOT NULL, PRIMARY KEY (phone_number));
PARTITION TABLE votes_by_phone ON COLUMN phone_number;
