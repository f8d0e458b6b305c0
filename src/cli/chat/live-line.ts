import type { Screen } from "../text.ts";
import { cutToWidth } from "../width.ts";

/** A screen whose last line may be written over. */
export interface LiveScreen extends Screen {
  /** Shows a line that vanishes with the next thing written; nothing where lines cannot be written over. */
  live(text: string): void;
}

/** Goes back to the beginning of the line, and erases it. */
const erase = "\r\u001B[K";

/** A screen that can show what is under way. */
export function liveScreen(screen: Screen): LiveScreen {
  let isShown = false;
  return {
    get columns() {
      return screen.columns;
    },
    isStyled: screen.isStyled ?? false,
    isLive: screen.isLive ?? false,
    paint: (style, text) => screen.paint(style, text),
    write(text) {
      screen.write(isShown ? erase + text : text);
      isShown = false;
    },
    live(text) {
      if (!screen.isLive) return;
      // A line as wide as the terminal would go on in the next one, which is not written over.
      const line = screen.paint("dim", cutToWidth(text, screen.columns - 1));
      screen.write(isShown ? erase + line : line);
      isShown = true;
    },
  };
}
