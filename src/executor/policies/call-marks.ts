import { isThrown } from "../../base/util/is-error.ts";
import { printStep, type StepKey } from "../../message/step-key.ts";
import { stepOfCall } from "../step-of-call.ts";
import { ownStep } from "../tool-steps.ts";
import type { ExecutionScope, ReadyCall } from "../types.ts";

/** What has become of a call in this run. */
interface Course {
  /** How often it has stopped. */
  stops: number;
  isUnderWay: boolean;
}

const coursesByRun = new WeakMap<ExecutionScope["memory"], Map<string, Course>>();

function coursesIn({ memory }: ExecutionScope): Map<string, Course> {
  const courses = coursesByRun.get(memory) ?? new Map<string, Course>();
  coursesByRun.set(memory, courses);
  return courses;
}

/** Says of a step that nothing remembers it. */
class NotThere extends Error {}

/**
 * What stores of a call that it begins, before its tool is called, and that it has stopped by itself, since something within it waits: then
 * it begins once more. A call that has begun, and neither stopped nor ended, was under way when its process died.
 */
export class CallMarks {
  readonly #scope: ExecutionScope;
  readonly #step: StepKey;
  /** What the run remembers of it: a middleware may make a call more than once. */
  readonly #course: Course;
  /** Whether the run that it is resumed from has said that it stopped. */
  readonly #isStopped: boolean;

  constructor({ call, scope }: ReadyCall) {
    this.#scope = scope;
    this.#isStopped = scope.hasStopped?.(call.toolCallId) === true;
    this.#step = stepOfCall(call, scope);
    const courses = coursesIn(scope);
    const place = printStep(this.#step);
    this.#course = courses.get(place) ?? { stops: 0, isUnderWay: false };
    courses.set(place, this.#course);
  }

  /**
   * Has it stored that the call begins.
   * @returns whether it is certain that it was not under way when a process died.
   */
  async begin(): Promise<boolean> {
    this.#course.isUnderWay ||= await this.#isFirst();
    return this.#course.isUnderWay;
  }

  /** Has it stored that the call has stopped by itself. */
  async stop(): Promise<void> {
    await this.#remember("stopped", async () => "stopped");
    this.#course.isUnderWay = false;
    this.#course.stops++;
  }

  /** Whether the call begins for the first time, or since it has stopped. */
  async #isFirst(): Promise<boolean> {
    for (;;) {
      let isNew = false;
      await this.#remember("begun", async () => {
        isNew = true;
        return "begun";
      });
      if (isNew || !(this.#isStopped || (await this.#hasStopped()))) return isNew;
      this.#course.stops++;
    }
  }

  async #hasStopped(): Promise<boolean> {
    try {
      await this.#remember("stopped", () => Promise.reject(new NotThere("The step is not there.")));
      return true;
    } catch (error) {
      if (isThrown(error, NotThere)) return false;
      throw error;
    }
  }

  #remember(what: "begun" | "stopped", perform: () => Promise<string>): Promise<string> {
    const id = ownStep(what, String(this.#course.stops));
    const key: StepKey = { ...this.#step, kind: "step", id, parent: this.#step };
    return this.#scope.rememberText?.(key, perform) ?? perform();
  }
}
