-- How the wallet is, as all processes see it: what one has heard holds back the others too.

-- One row per wallet and kind of call (pay, query): sending and asking fail apart.
create table wallet_health (
  wallet text not null,
  kind text not null,
  -- Answers in a row that held no word, since when, and what the last one was.
  troubles integer not null default 0,
  trouble_since timestamptz,
  last_answer text,
  -- While it is in trouble one call at a time tries: when the next may, and how many have failed.
  next_try_at timestamptz,
  tries integer not null default 0,
  -- The wallet wishes not to be called until then (Retry-After).
  paused_until timestamptz,
  -- When a worker was last started with it: the latest is the wallet that people are told of.
  used_at timestamptz not null default clock_timestamp(),
  primary key (wallet, kind),
  constraint wallet_health__kind check (kind in ('pay', 'query')),
  constraint wallet_health__trouble_whole check ((trouble_since is not null) = (troubles > 0))
);

-- When the next call would be due if calls came evenly, in milliseconds since 1970: an instant would
-- round them away. Only written while the number of calls is limited.
create table wallet_pace (
  wallet text primary key,
  slot_ms double precision not null
);
