-- Containers that should not run are looked for every second.

create index pod_unwanted on pod (machine) where observed = 'running' and state <> 'RUNNING';
