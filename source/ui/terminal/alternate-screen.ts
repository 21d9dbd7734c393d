/** What the terminal is switched to while the app has it, and the way back. */
export interface AlternateScreen {
  readonly isEntered: boolean;
  enter(): void;
  /** Safe to call at any time and more than once; also while the process is ending. */
  leave(): void;
}

/**
 * Alternate buffer, cursor hidden, no automatic wrap (a line whose width the terminal counts differently then
 * spoils only itself), bracketed paste.
 */
const enterSequence = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[0m\x1b[2J\x1b[H';
/** Ends a synchronised update that a crash may have cut in half, then undoes the above in reverse. */
const leaveSequence = '\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';

/** The two screens of the terminal behind `write`. */
export function createAlternateScreen(write: (text: string) => void): AlternateScreen {
  let isEntered = false;
  return {
    get isEntered() {
      return isEntered;
    },
    enter() {
      if (isEntered) return;
      isEntered = true;
      write(enterSequence);
    },
    leave() {
      if (!isEntered) return;
      isEntered = false;
      write(leaveSequence);
    },
  };
}
