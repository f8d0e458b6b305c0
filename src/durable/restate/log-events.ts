import type { ObjectContext, ObjectSharedContext } from "@restatedev/restate-sdk";
import { groupBefore } from "../row.ts";
import type { EventGroup, EventWrite } from "../store.ts";
import { keys, type LogAnswers, pageSize, type RunRecord } from "./log-state.ts";

/** Adds events of a run, and deletes those that are void. Returns the run as it is then. The caller stores it. */
export async function writeEvents(
  context: ObjectContext,
  record: RunRecord,
  { groups, progress, from, before }: EventWrite,
): Promise<RunRecord> {
  const { id, firstGroup, nextGroup } = record;
  const first = before === undefined ? firstGroup : await deleteBefore(context, record, before);
  const cut = from === undefined ? { next: nextGroup } : await deleteFrom(context, record, first, from);
  const added = cut.rest ? [cut.rest, ...groups] : groups;
  for (const [index, group] of added.entries()) context.set(keys.group(id, cut.next + index), group);
  return { ...record, firstGroup: first, nextGroup: cut.next + added.length, progress };
}

/** Deletes the groups that end before an index. Returns the number of the first one that is left. */
async function deleteBefore(context: ObjectContext, record: RunRecord, before: number): Promise<number> {
  const { id, firstGroup, nextGroup } = record;
  for (let number = firstGroup; number < nextGroup; number++) {
    const group = await readGroup(context, id, number);
    if (group && group.last >= before) return number;
    context.clear(keys.group(id, number));
  }
  return nextGroup;
}

/** Deletes events from an index on. Returns the number of the next group, and what is left of one that had events on both sides. */
async function deleteFrom(
  context: ObjectContext,
  { id, nextGroup }: RunRecord,
  first: number,
  from: number,
): Promise<{ readonly next: number; readonly rest?: EventGroup }> {
  for (let number = nextGroup - 1; number >= first; number--) {
    const group = await readGroup(context, id, number);
    if (group && group.last < from) return { next: number + 1 };
    context.clear(keys.group(id, number));
    const rest = groupBefore(group ?? undefined, from);
    if (rest) return { next: number, rest };
  }
  return { next: first };
}

/** Groups of events of a run whose last index is higher than `after`, from the oldest on: some, and whether these are all. */
export async function readGroups(
  context: ObjectSharedContext,
  { id, firstGroup, nextGroup, progress }: RunRecord,
  after: number,
  limit: number,
): Promise<LogAnswers["events"]> {
  const groups: EventGroup[] = [];
  if (after >= progress.next - 1) return { groups, isLast: true };
  let size = 0;
  for (
    let number = await firstAfter(context, id, firstGroup, nextGroup, after);
    number < nextGroup;
    number++
  ) {
    const group = await readGroup(context, id, number);
    if (!group) continue;
    groups.push(group);
    size += JSON.stringify(group).length;
    if (groups.length === limit || size > pageSize) return { groups, isLast: groups.length === limit };
  }
  return { groups, isLast: true };
}

/** The number of the first group whose last index is higher than `after`. The newest are looked at first: readers are mostly there. */
async function firstAfter(
  context: ObjectSharedContext,
  id: string,
  first: number,
  next: number,
  after: number,
): Promise<number> {
  let [low, high] = [first, next];
  for (let step = 1; high > first; step *= 2) {
    const number = Math.max(first, high - step);
    if (await isAfter(context, id, number, after)) high = number;
    else {
      low = number + 1;
      break;
    }
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isAfter(context, id, middle, after)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** What is deleted meanwhile was before. */
async function isAfter(
  context: ObjectSharedContext,
  id: string,
  number: number,
  after: number,
): Promise<boolean> {
  const group = await readGroup(context, id, number);
  return group !== null && group.last > after;
}

function readGroup(context: ObjectSharedContext, id: string, number: number): Promise<EventGroup | null> {
  return context.get<EventGroup>(keys.group(id, number));
}
