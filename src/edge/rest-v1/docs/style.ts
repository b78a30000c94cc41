// How the reference looks.

export const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #2563eb; }
@media (prefers-color-scheme: dark) { :root { --accent: #7aa7ff; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 17rem 1fr; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); }
nav h2 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; margin: 1rem 0 .25rem; }
nav a { display: block; padding: .1rem 0; color: inherit; text-decoration: none; }
nav a:hover, nav a:focus-visible { color: var(--accent); }
main { padding: 1.5rem 2rem 6rem; max-width: 62rem; min-width: 0; }
a { color: var(--accent); }
code, pre, textarea, input { font: 13px/1.5 ui-monospace, monospace; }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem; }
h3 { margin: .75rem 0 .25rem; }
h4 { margin: .75rem 0 .25rem; font-size: .85rem; }
.address { margin: 0; overflow-wrap: anywhere; }
.address b { font: 700 12px ui-monospace, monospace; padding: .15rem .4rem; border-radius: 4px; background: var(--soft); }
.GET { color: #15803d; } .POST { color: #b45309; } .PATCH, .PUT { color: #7c3aed; } .DELETE { color: #dc2626; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-size: .75rem; font-weight: 500; }
td b { font-size: .75rem; color: #dc2626; font-weight: 500; }
ul { margin: 0; padding-left: 1.2rem; }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--accent); }
label { display: block; margin: .5rem 0; font-size: .85rem; }
input, textarea { display: block; width: 100%; padding: .4rem; border: 1px solid var(--line); border-radius: 4px; background: var(--soft); color: inherit; }
button { padding: .4rem .9rem; border: 0; border-radius: 4px; background: var(--accent); color: Canvas; font: inherit; cursor: pointer; }
pre { background: var(--soft); padding: .75rem; border-radius: 4px; overflow: auto; max-height: 30rem; }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
