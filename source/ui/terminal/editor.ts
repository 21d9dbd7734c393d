import { spawn } from 'node:child_process';

/** A line of a file, from 1. */
export interface EditedPlace {
  /** Absolute. */
  file: string;
  line: number;
}

/** What the person edits with, as the shell would start it. */
export function editorOf({ VISUAL, EDITOR }: NodeJS.ProcessEnv): string {
  return [VISUAL, EDITOR].find((value) => value !== undefined && value.trim() !== '') ?? 'vi';
}

/** Arguments that open a file at a line: editors that are windows of their own say it in other ways than those of terminals. */
export function editorArguments(editor: string, { file, line }: EditedPlace): string[] {
  const name = /[^/\\\s]+(?=\s|$)/.exec(editor.trim())?.[0].replace(/\.(exe|cmd)$/i, '') ?? '';
  if (['code', 'code-insiders', 'codium', 'cursor', 'windsurf'].includes(name))
    return ['--goto', `${file}:${line}`];
  if (['subl', 'zed', 'hx', 'helix'].includes(name)) return [`${file}:${line}`];
  return [`+${line}`, file];
}

/** Runs the editor on the terminal until it has ended. Gives what is wrong where it could not be run, or failed. */
export async function runEditor(editor: string, place: EditedPlace): Promise<string | undefined> {
  const args = editorArguments(editor, place);
  return await new Promise((resolve) => {
    // The shell takes the editor apart, which may be called with flags of its own; the file is no text of the shell's.
    const child =
      process.platform === 'win32'
        ? spawn(editor, args, { stdio: 'inherit', shell: true })
        : spawn('sh', ['-c', `${editor} "$@"`, 'sh', ...args], { stdio: 'inherit' });
    child.once('error', ({ message }) => resolve(`${editor} cannot be started: ${message}`));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : `${editor} ended with ${signal ?? `exit code ${code}`}`),
    );
  });
}
