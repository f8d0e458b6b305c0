import type { ListTasksRequest, ListTasksResponse, Task } from "@a2a-js/sdk";
import type { DurableStatus } from "../../durable/stored-run.ts";
import type { Call } from "../call.ts";
import type { UserRun } from "../user-runs.ts";
import type { Sdk } from "./sdk.ts";

/** How many tasks a page has unless the client says, and at most (the specification's figures). */
const standardPage = 50;
const largestPage = 100;

/** How many tasks are counted at most. */
const mostCounted = 1_000;

/**
 * A page of the user's tasks with an agent, those that were started last first.
 * @param read - Makes the task of a run, with `historyLength` messages.
 * @throws RequestMalformedError
 */
export async function listTasks(
  sdk: Sdk,
  call: Call,
  agent: string,
  request: ListTasksRequest,
  read: (run: UserRun, historyLength: number) => Promise<Task>,
): Promise<ListTasksResponse> {
  const {
    contextId,
    pageToken,
    pageSize = standardPage,
    historyLength = 0,
    includeArtifacts = false,
  } = request;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > largestPage)
    throw new sdk.errors.RequestMalformedError(`pageSize must be 1 to ${largestPage}.`);
  const statuses = statusesOf(sdk, request);
  const since = Date.parse(request.statusTimestampAfter ?? "");
  const runs = await call.runs.list({
    agent,
    limit: mostCounted,
    ...(contextId !== "" && { session: contextId }),
    ...(statuses && { statuses }),
  });
  const fitting = Number.isNaN(since) ? runs : runs.filter(({ stored }) => stored.updatedAt >= since);
  const start = pageToken === "" ? 0 : fitting.findIndex(({ run }) => run.id === pageToken) + 1;
  if (pageToken !== "" && start === 0)
    throw new sdk.errors.RequestMalformedError("pageToken is not one of an earlier page.");
  const page = fitting.slice(start, start + pageSize);
  const tasks = await Promise.all(page.map(({ run }) => read(run, historyLength)));
  return {
    tasks: includeArtifacts ? tasks : tasks.map((task) => ({ ...task, artifacts: [] })),
    nextPageToken: start + pageSize < fitting.length ? (page.at(-1)?.run.id ?? "") : "",
    pageSize,
    totalSize: fitting.length,
  };
}

/** The statuses of runs that a state of tasks stands for; `undefined` for all. */
function statusesOf(
  { a2a: { TaskState }, errors }: Sdk,
  { status }: ListTasksRequest,
): readonly DurableStatus[] | undefined {
  switch (status) {
    case TaskState.TASK_STATE_UNSPECIFIED:
      return undefined;
    case TaskState.TASK_STATE_SUBMITTED:
      return ["queued"];
    case TaskState.TASK_STATE_WORKING:
      return ["running", "stuck"];
    case TaskState.TASK_STATE_INPUT_REQUIRED:
      return ["paused"];
    case TaskState.TASK_STATE_COMPLETED:
      return ["completed"];
    case TaskState.TASK_STATE_FAILED:
      return ["failed"];
    case TaskState.TASK_STATE_CANCELED:
      return ["cancelled"];
    case TaskState.TASK_STATE_REJECTED:
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return [];
    case TaskState.UNRECOGNIZED:
    default:
      throw new errors.RequestMalformedError("status is not a state of tasks.");
  }
}
