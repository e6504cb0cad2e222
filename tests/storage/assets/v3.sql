--
-- PostgreSQL database dump
--


-- Dumped from database version 18.4
-- Dumped by pg_dump version 18.4

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
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
-- Name: campaign; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.campaign (
    id integer NOT NULL,
    name text NOT NULL,
    created_at text NOT NULL,
    seed bigint NOT NULL,
    spec text NOT NULL,
    spec_sha256 text NOT NULL,
    genesis text CONSTRAINT campaign_digest_not_null NOT NULL,
    archived_at text
);


--
-- Name: campaign_head; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.campaign_head (
    campaign_id integer NOT NULL,
    number bigint NOT NULL,
    trials bigint NOT NULL,
    digest text NOT NULL,
    seal text NOT NULL
);


--
-- Name: campaign_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.campaign_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: campaign_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.campaign_id_seq OWNED BY public.campaign.id;


--
-- Name: event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event (
    campaign_id integer NOT NULL,
    number bigint NOT NULL,
    at text NOT NULL,
    kind text NOT NULL,
    trial bigint,
    alternative bigint,
    context text,
    successes bigint,
    of bigint,
    text text,
    author text,
    payload text,
    digest text NOT NULL,
    CONSTRAINT event_alternative CHECK (((alternative IS NULL) OR (alternative >= 0))),
    CONSTRAINT event_kind CHECK ((kind = ANY (ARRAY['asked'::text, 'told'::text, 'corrected'::text, 'withdrawn'::text, 'noted'::text]))),
    CONSTRAINT event_names_its_trial CHECK (
CASE
    WHEN (trial IS NULL) THEN (kind = 'noted'::text)
    ELSE (trial >= 1)
END),
    CONSTRAINT event_number CHECK ((number >= 1)),
    CONSTRAINT event_outcome CHECK (
CASE
    WHEN (kind = ANY (ARRAY['told'::text, 'corrected'::text])) THEN ((successes IS NOT NULL) AND (of IS NOT NULL) AND (successes >= 0) AND (of >= 1) AND (successes <= of))
    ELSE ((successes IS NULL) AND (of IS NULL))
END)
);


--
-- Name: snapshot; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.snapshot (
    campaign_id integer NOT NULL,
    number bigint NOT NULL,
    digest text NOT NULL,
    payload text NOT NULL,
    payload_sha256 text NOT NULL,
    at text NOT NULL
);


--
-- Name: sureshot_schema; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sureshot_schema (
    version_num character varying(32) NOT NULL
);


--
-- Name: sureshot_store; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sureshot_store (
    id text NOT NULL
);


--
-- Name: trial; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.trial AS
 SELECT opened.campaign_id,
    opened.trial,
    opened.alternative,
    opened.context,
        CASE
            WHEN (withdrawn.number IS NOT NULL) THEN 'withdrawn'::text
            WHEN (outcome.number IS NOT NULL) THEN 'told'::text
            ELSE 'pending'::text
        END AS state,
    outcome.successes,
    outcome.of,
    opened.at AS opened_at,
    opened.author AS opened_by,
    outcome.at AS told_at,
    outcome.author AS told_by
   FROM ((public.event opened
     LEFT JOIN public.event withdrawn ON (((withdrawn.campaign_id = opened.campaign_id) AND (withdrawn.trial = opened.trial) AND (withdrawn.kind = 'withdrawn'::text))))
     LEFT JOIN public.event outcome ON (((outcome.campaign_id = opened.campaign_id) AND (outcome.number = ( SELECT max(latest.number) AS max
           FROM public.event latest
          WHERE ((latest.campaign_id = opened.campaign_id) AND (latest.trial = opened.trial) AND (latest.kind = ANY (ARRAY['told'::text, 'corrected'::text]))))))))
  WHERE (opened.number = ( SELECT min(earliest.number) AS min
           FROM public.event earliest
          WHERE ((earliest.campaign_id = opened.campaign_id) AND (earliest.trial = opened.trial))));


--
-- Name: campaign id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.campaign ALTER COLUMN id SET DEFAULT nextval('public.campaign_id_seq'::regclass);


--
-- Data for Name: campaign; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.campaign VALUES (1, 'nanotubes', '2026-03-01T08:00:00.000000Z', 20260301, '{"power":[8,10,12,14],"catalyst":["Fe","Co"],"note":"Kühlung 3 °C","prior":0.1}', '3fda75372284736efd3a4c690db4914772b6bb5eb2a5e9d814584e2f7601e8a0', 'd030fc9b75b9dbea234f23585a533efe2c927dd1e9f4d33eb1419b382d22b786', NULL);


--
-- Data for Name: campaign_head; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.campaign_head VALUES (1, 10, 5, 'bf6352c37f9990fc8c8432ff1572f180511a40a04fef2f2e5093ec5533d01899', '0b47c8cf968cd99c124f080cc0a2f2bdf9f3c18d3b5964ad651df476b69cc48e');


--
-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.event VALUES (1, 1, '2026-03-01T08:01:00.000001Z', 'asked', 1, 3, NULL, NULL, NULL, NULL, NULL, '{"policy":"knowledge_gradient","value":0.07142857142857142}', 'c83b1db4a08c114a4d7a6ece2ec1b0952a68ee742fe38b876ad21ee0dec6f0c4');
INSERT INTO public.event VALUES (1, 2, '2026-03-01T08:30:00.000001Z', 'told', 1, NULL, NULL, 1, 1, NULL, 'Ann', NULL, '9eee8bfd549ffba1205b15618835ecbb546b3d178271e789cc8879a08e97c0d0');
INSERT INTO public.event VALUES (1, 3, '2026-03-01T08:31:00.000001Z', 'asked', 2, 0, '{"humidity":0.1,"operator":"Søren"}', NULL, NULL, NULL, NULL, NULL, 'fdb0c62424a9f69325b995a8f62b7471c4f9d28e3371c8f158dd3aa873e9ceec');
INSERT INTO public.event VALUES (1, 4, '2026-03-01T08:32:00.000001Z', 'told', 3, 7, NULL, 2, 5, 'from the notebook of 2019', NULL, NULL, 'a524ba22c34037f03e8853acfa259d4af1db0d28dff9c023409d45b30a970e77');
INSERT INTO public.event VALUES (1, 5, '2026-03-01T08:33:00.000001Z', 'noted', NULL, NULL, NULL, NULL, NULL, 'the furnace was cleaned', 'Søren', NULL, 'e7ca89495137cfa5a55bb46757a6d43812ea398f850afe122912b58e823029c2');
INSERT INTO public.event VALUES (1, 6, '2026-03-01T09:00:00.000001Z', 'told', 2, NULL, NULL, 1, 1, NULL, 'Søren', NULL, 'f8ed5db79f01ba8ac81d46abac9e27a4110d82bc6d62d9a798e9fc06998ee151');
INSERT INTO public.event VALUES (1, 7, '2026-03-01T09:01:00.000001Z', 'corrected', 2, NULL, NULL, 0, 1, 'read the label again', 'Ann', NULL, '5b24cc5b125e6bddf9e3acf7c4f15cd5b491e460be7c485f432aef6173640312');
INSERT INTO public.event VALUES (1, 8, '2026-03-01T09:02:00.000001Z', 'asked', 4, 5, NULL, NULL, NULL, NULL, NULL, NULL, 'a936b5b1d60a0d98007beb86eb3296edccb33c68913a74ad493be7315c1b9ced');
INSERT INTO public.event VALUES (1, 9, '2026-03-01T09:03:00.000001Z', 'withdrawn', 4, NULL, NULL, NULL, NULL, 'the tube broke', NULL, NULL, 'e59601b5f15c86be84f7d960e33312457f87fa366ff6aaa11831726d89864257');
INSERT INTO public.event VALUES (1, 10, '2026-03-01T09:04:00.000001Z', 'asked', 5, 6, NULL, NULL, NULL, NULL, NULL, NULL, 'bf6352c37f9990fc8c8432ff1572f180511a40a04fef2f2e5093ec5533d01899');


--
-- Data for Name: snapshot; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.snapshot VALUES (1, 10, 'bf6352c37f9990fc8c8432ff1572f180511a40a04fef2f2e5093ec5533d01899', '{"mean":[0.25,-0.5]}', '823f87411cb0a27c4af6b40cc7ea63748339224caba4d60f6c0ad4f8cd78b10a', '2026-11-19T06:33:10.706644Z');


--
-- Data for Name: sureshot_schema; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sureshot_schema VALUES ('3');


--
-- Data for Name: sureshot_store; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sureshot_store VALUES ('4cc84d7234c943a49abbe157cdf94c20');


--
-- Name: campaign_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.campaign_id_seq', 1, true);


--
-- Name: campaign_head campaign_head_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.campaign_head
    ADD CONSTRAINT campaign_head_pkey PRIMARY KEY (campaign_id);


--
-- Name: campaign campaign_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.campaign
    ADD CONSTRAINT campaign_pkey PRIMARY KEY (id);


--
-- Name: event event_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (campaign_id, number);


--
-- Name: snapshot snapshot_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.snapshot
    ADD CONSTRAINT snapshot_pkey PRIMARY KEY (campaign_id);


--
-- Name: sureshot_schema sureshot_schema_pkc; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sureshot_schema
    ADD CONSTRAINT sureshot_schema_pkc PRIMARY KEY (version_num);


--
-- Name: sureshot_store sureshot_store_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sureshot_store
    ADD CONSTRAINT sureshot_store_pkey PRIMARY KEY (id);


--
-- Name: campaign_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX campaign_name ON public.campaign USING btree (name);


--
-- Name: event_asked_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX event_asked_once ON public.event USING btree (campaign_id, trial) WHERE (kind = 'asked'::text);


--
-- Name: event_told_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX event_told_once ON public.event USING btree (campaign_id, trial) WHERE (kind = 'told'::text);


--
-- Name: event_trial; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX event_trial ON public.event USING btree (campaign_id, trial);


--
-- Name: event_withdrawn_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX event_withdrawn_once ON public.event USING btree (campaign_id, trial) WHERE (kind = 'withdrawn'::text);


--
-- Name: campaign_head campaign_head_campaign_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.campaign_head
    ADD CONSTRAINT campaign_head_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES public.campaign(id);


--
-- Name: event event_campaign_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES public.campaign(id);


--
-- Name: snapshot snapshot_campaign_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.snapshot
    ADD CONSTRAINT snapshot_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES public.campaign(id);


--
-- PostgreSQL database dump complete
--


