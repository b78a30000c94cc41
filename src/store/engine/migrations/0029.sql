-- The driver `fake` is now named `simulated`. In the JSON of a spec, a quote inside a text is escaped, so only a member matches.

update pod set driver = 'simulated' where driver = 'fake';
update worker set driver = 'simulated' where driver = 'fake';
update pod set spec = replace(spec, '"driver":"fake"', '"driver":"simulated"') where spec like '%"driver":"fake"%';
update template set spec = replace(spec, '"driver":"fake"', '"driver":"simulated"') where spec like '%"driver":"fake"%';
update release set workload = replace(workload, '"driver":"fake"', '"driver":"simulated"')
  where workload like '%"driver":"fake"%';
