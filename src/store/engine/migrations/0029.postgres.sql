-- The driver `fake` is now named `simulated`. An environment variable may be named `driver` too, and keeps its value.

-- The type jsonb has neither \u0000 nor half of a surrogate pair, which a text may contain: meanwhile, two noncharacters
-- stand for each escaped backslash and for each \u.
create function pg_temp.with_simulated(spec text) returns text language sql as $$
  select case when object ->> 'driver' <> 'fake' or object ->> 'driver' is null then spec
    else replace(replace(jsonb_set(object, '{driver}', '"simulated"')::text,
      chr(64977) || chr(64977), chr(92) || 'u'), chr(64976) || chr(64976), chr(92) || chr(92)) end
  from (select replace(replace(spec, chr(92) || chr(92), chr(64976) || chr(64976)),
    chr(92) || 'u', chr(64977) || chr(64977))::jsonb as object) as parsed
$$;

update pod set driver = 'simulated' where driver = 'fake';
update worker set driver = 'simulated' where driver = 'fake';
update pod set spec = pg_temp.with_simulated(spec) where spec like '%"driver":"fake"%';
update template set spec = pg_temp.with_simulated(spec) where spec like '%"driver":"fake"%';
update release set workload = pg_temp.with_simulated(workload) where workload like '%"driver":"fake"%';

drop function pg_temp.with_simulated;
