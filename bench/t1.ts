import { tracingRows } from "./tracing.ts";
for (const row of await tracingRows()) console.log(row.what, row.floor?.toFixed(2), row.skein.toFixed(2), row.floor!==undefined?(row.skein-row.floor).toFixed(2):"");
