/** How the report looks. Nothing is loaded: colours and fonts are the browser's. */
export const reportStyle = `
:root { color-scheme: light dark; --good: #1a7f37; --bad: #cf222e; --line: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); }
small { opacity: .7; }
.bar { display: inline-block; width: 5rem; height: .6rem; background: var(--bad); }
.bar span { display: block; height: 100%; background: var(--good); }
details.case { border-left: 4px solid var(--good); padding-left: .8rem; margin: .4rem 0; }
details.case.fail { border-color: var(--bad); }
body:has(#only-failed:checked) details.case.pass { display: none; }
summary { cursor: pointer; }
.run { border-top: 1px solid var(--line); }
.better::marker, .better { color: var(--good); }
.worse::marker, .worse { color: var(--bad); }
.talk { list-style: none; padding: 0; }
.talk li { margin: .4rem 0; padding: .3rem .6rem; border-radius: .4rem; background: #8881; color: CanvasText; }
.talk .user { margin-left: 3rem; }
.talk .tool { margin-left: 1.5rem; font-size: .9em; }
pre { margin: .2rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
pre.call, .tool pre, details details pre { font-family: ui-monospace, monospace; font-size: .9em; }
`;
