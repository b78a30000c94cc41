-- A leadership is work that one replica does for all.

alter table duty rename to leadership;
