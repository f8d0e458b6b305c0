/** Prints what comes of the table, as JSON. */
import { report } from "./report.ts";

void report().then((cases) => console.log(JSON.stringify(cases)));
