/** What `npm start` does: the triage example, with any arguments passed on to `skein chat`. */
process.argv.splice(2, 0, "triage");
await import("./example.ts");
