-- The driver `fake` is now named `simulated`. An environment variable may be named `driver` too, and keeps its value.

update pod set driver = 'simulated' where driver = 'fake';
update worker set driver = 'simulated' where driver = 'fake';
update pod set spec = json_set(spec, '$.driver', 'simulated') where json_extract(spec, '$.driver') = 'fake';
update template set spec = json_set(spec, '$.driver', 'simulated') where json_extract(spec, '$.driver') = 'fake';
update release set workload = json_set(workload, '$.driver', 'simulated') where json_extract(workload, '$.driver') = 'fake';
