CREATE PROCEDURE Vote PARTITION ON TABLE votes COLUMN phone_number FROM CLASS dev.fulmar.benchmarks.voter.procedure.Vote;
CREATE PROCEDURE InitializeVoter FROM CLASS dev.fulmar.benchmarks.voter.procedure.InitializeVoter;
CREATE PROCEDURE VoterResults AS SELECT c.contestant_name, c.contestant_number, COUNT(*) AS total_votes FROM votes v JOIN contestants c ON c.contestant_number = v.contestant_number GROUP BY c.contestant_name, c.contestant_number ORDER BY total_votes DESC, c.contestant_number;
