-- The trace context that a job was submitted with: traceparent, and after a space tracestate.

alter table job add column trace text;
