import { invalidOption } from "../../base/options/known-options.ts";
import type { RunFilter } from "../store.ts";
import type { StoredRun } from "../stored-run.ts";
import { type Connection, post } from "./ingress.ts";
import { type RunRecord, storedRunOf } from "./log-state.ts";

/**
 * Runs as the admin API's SQL finds them in the state of all logs, those that were started last first.
 * @param log - The name of the objects that keep them.
 * @throws ConfigurationError (`invalid-option`) without the address of the admin API.
 */
export async function queryRuns(
  connection: Connection,
  log: string,
  filter: RunFilter,
): Promise<readonly StoredRun[]> {
  const { admin } = connection;
  if (admin === undefined)
    throw invalidOption(
      'list() needs the admin API of Restate. Set the option admin of restateRuns() to its address, such as "http://127.0.0.1:9070".',
      { option: "admin" },
    );
  const { rows } = await post(connection, admin, "/query", { query: queryOf(log, filter) });
  if (!Array.isArray(rows)) throw new Error(`The admin API at ${admin} did not answer with rows.`);
  return rows.map((row: unknown) => {
    const record: RunRecord = JSON.parse(String(Object(row)["value"]));
    return storedRunOf(record);
  });
}

function queryOf(service: string, { statuses, agent, log, idPrefix, after, limit }: RunFilter): string {
  const runs = `FROM state WHERE service_name = ${quoted(service)}`;
  const created = "json_get_int(value_utf8, 'createdAt')";
  const conditions = [
    ...(log === undefined ? [] : [`service_key = ${quoted(log)}`]),
    ...(agent === undefined ? [] : [`json_get_str(value_utf8, 'agent') = ${quoted(agent)}`]),
    ...(idPrefix === undefined ? [] : [`starts_with(key, ${quoted(`run/${idPrefix}`)})`]),
    ...(statuses ? [`json_get_str(value_utf8, 'status') IN (${statuses.map(quoted).join(", ")})`] : []),
    ...(after === undefined
      ? []
      : [
          `(${created} < (SELECT ${created} ${runs} AND key = ${quoted(`run/${after}`)})
            OR (${created} = (SELECT ${created} ${runs} AND key = ${quoted(`run/${after}`)}) AND key < ${quoted(`run/${after}`)}))`,
        ]),
  ];
  return `SELECT value_utf8 AS value ${runs} AND key LIKE 'run/%'${conditions.map((condition) => ` AND ${condition}`).join("")}
    ORDER BY ${created} DESC, key DESC LIMIT ${limit}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
