import { processorTime } from "./measure.ts";
import { rowsOverHttp, sampleWays } from "./rows-over-http.ts";
import type { Row } from "./table.ts";
import { waysToRun } from "./ways-to-run.ts";
import { withServer } from "./with-server.ts";

/** Long answers in many pieces, at one, two and four times the size. */
export function streamRows(): Promise<readonly Row[]> {
  return withServer(async (address) => [
    ...(await rowsOf("chunks of text", `${address}/text`, 20_000)),
    ...(await rowsOf("fragments of an argument", `${address}/argument`, 5_000)),
  ]);
}

async function rowsOf(what: string, address: string, pieces: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const size of [pieces, 2 * pieces, 4 * pieces]) {
    const ways = waysToRun(`${address}/${size}`, 1);
    const figures = await sampleWays((name) => processorTime(ways[name], 3));
    rows.push(...rowsOverHttp(`${size} ${what}`, "ms", figures, { of: "ratio", most: 1.5 }));
  }
  const [, single, , , , fourfold] = rows;
  if (single && fourfold) rows.push(growthRow(what, single, fourfold));
  return rows;
}

function growthRow(what: string, single: Row, fourfold: Row): Row {
  const skein = fourfold.skein / single.skein;
  const floor = (fourfold.floor ?? Number.NaN) / (single.floor ?? Number.NaN);
  return {
    what: `growth: four times the ${what}`,
    unit: "x",
    floor,
    skein,
    limit: { of: "ratio", most: 1.25 },
  };
}
