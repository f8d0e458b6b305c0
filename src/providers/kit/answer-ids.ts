/** What a chunk says of the answer that it belongs to. */
export interface ChunkOfAnswer {
  /** The answer's id, empty if the chunk has none. */
  readonly id: string;
  /** Whether it carries something of the answer. */
  readonly hasOutput: boolean;
  /** Whether an answer seems to begin with it, as by a role. */
  readonly isStart: boolean;
}

/**
 * Tells a second answer within a stream from the first by its id. A server that gives each chunk an id of its own sends one answer
 * nevertheless: another id counts once one has come twice, after an ending, or where an answer begins. So does the only other one, once it comes
 * twice: such a server would send a third.
 */
export class AnswerIds {
  #id = "";
  /** How many chunks in a row have had the id. */
  #count = 0;
  /** How many ids have followed another that had come once. */
  #changes = 0;
  /** Whether there was output before the last of them. */
  #isContinued = false;
  #hasOutput = false;
  #hasEnded = false;

  /** The chunk said why the answer ends. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Takes the next chunk. Returns whether it belongs to a second answer. */
  isSecond({ id, hasOutput, isStart }: ChunkOfAnswer): boolean {
    const isOther = id !== "" && this.#id !== "" && id !== this.#id;
    // What carries nothing, such as the usage at the end, may have any id.
    if (isOther && this.#hasOutput && !hasOutput) return false;
    const isStable = this.#count > 1 || this.#hasEnded || (isStart && this.#changes === 0);
    if (isOther && this.#hasOutput && isStable) return true;
    if (id !== "" && id === this.#id && this.#changes === 1 && this.#isContinued) return true;
    if (isOther && this.#count === 1) {
      this.#changes++;
      this.#isContinued = this.#hasOutput;
    }
    if (id !== "") {
      this.#count = id === this.#id ? this.#count + 1 : 1;
      this.#id = id;
    }
    this.#hasOutput ||= hasOutput;
    return false;
  }
}

/** What is wrong with a stream of two answers: nothing of them is certain. */
export const secondAnswer = "began a second answer within its first.";
