--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: post; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.post (
    id integer NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    roles character varying(20)[] DEFAULT ARRAY['reader'::character varying(20), 'writer'::character varying(20)],
    scores numeric(5,2)[],
    days date[],
    seen timestamp with time zone[],
    flags boolean[],
    refs uuid[],
    n integer GENERATED ALWAYS AS (cardinality(tags)) STORED,
    CONSTRAINT few CHECK ((cardinality(tags) <= 5)),
    CONSTRAINT known CHECK ((roles <@ ARRAY['reader'::character varying, 'writer'::character varying, 'owner'::character varying]))
);


--
-- Name: tagged; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.tagged AS
 SELECT post.id,
    post.tags[1] AS first,
    ('new'::text = ANY (post.tags)) AS is_new,
    array_to_string(post.tags, ','::text) AS all_tags,
    (post.tags || 'more'::text) AS longer
   FROM public.post
  WHERE (post.tags && ARRAY['new'::text, 'old'::text]);


--
-- Data for Name: post; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.post (id, tags, roles, scores, days, seen, flags, refs) FROM stdin;
1	{new,"on sale",NULL,"a\\\\b\\"c"}	{reader,writer}	{1.50,NULL}	{2024-02-29}	{"2024-07-01 12:00:00+00"}	{t,f}	{00000000-0000-0000-0000-000000000001}
2	{}	\N	{}	\N	\N	\N	\N
3	{old,"tab\there",""}	{owner}	\N	\N	\N	\N	\N
\.


--
-- Name: post post_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.post
    ADD CONSTRAINT post_pkey PRIMARY KEY (id);


--
-- PostgreSQL database dump complete
--


