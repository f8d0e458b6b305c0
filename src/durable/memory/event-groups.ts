import { freeze } from "../../base/util/snapshot.ts";
import { groupBefore } from "../row.ts";
import type { EventGroup, EventWrite } from "../store.ts";
import type { RunEntry } from "./entry.ts";

/** Adds events of a run. They are frozen as they are, not copied: who has written them has passed them on. */
export function addEvents(entry: RunEntry, { groups, from, before }: EventWrite): void {
  if (from !== undefined) deleteFrom(entry, from);
  if (before !== undefined) {
    const count = placeAfter(entry.groups, before - 1);
    for (const group of entry.groups.splice(0, count)) entry.eventCount -= group.events.length;
  }
  for (const group of groups) addGroup(entry, group);
}

/** Groups of events whose last index is higher than `after`. */
export function groupsAfter({ groups }: RunEntry, after: number, limit: number): readonly EventGroup[] {
  const place = placeAfter(groups, after);
  return groups.slice(place, place + limit);
}

/** Deletes the events of a run. */
export function deleteEvents(entry: RunEntry): void {
  entry.groups.length = 0;
  entry.eventCount = 0;
}

/** A group may have events on both sides. */
function deleteFrom(entry: RunEntry, from: number): void {
  const place = placeAfter(entry.groups, from - 1);
  const [split, ...others] = entry.groups.splice(place);
  for (const { events } of split ? [split, ...others] : []) entry.eventCount -= events.length;
  const rest = groupBefore(split, from);
  if (rest) addGroup(entry, rest);
}

function addGroup(entry: RunEntry, group: EventGroup): void {
  for (const event of group.events) freeze(event);
  Object.freeze(group.events);
  entry.groups.push(Object.freeze(group));
  entry.eventCount += group.events.length;
}

/** How many groups end at an index or before. */
function placeAfter(groups: readonly EventGroup[], index: number): number {
  let [low, high] = [0, groups.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((groups[middle]?.last ?? index) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}
