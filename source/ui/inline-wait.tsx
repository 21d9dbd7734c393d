import { PassThrough } from 'node:stream';
import { render, Text } from 'ink';
import Spinner from 'ink-spinner';
import { makeVisible } from '../base/text.js';
import { createTheme, type Theme } from './theme.js';

/** Where and how a wait is shown. */
export interface InlineWaitOptions {
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  /** The theme of the person's settings. */
  theme: string | undefined;
}

/**
 * Shows a line with a spinner below what stands in the terminal, for short waits outside of the app. Gives the function
 * that takes the line away again.
 */
export function openInlineWait(what: string, options: InlineWaitOptions): () => void {
  const theme = createTheme(options.env, options.theme);
  const instance = render(<InlineWait what={makeVisible(what)} theme={theme} />, {
    stdout: options.stderr,
    // Keys are left to the shell: Ctrl+C ends the process as it would any other.
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return () => {
    instance.clear();
    instance.unmount();
  };
}

function InlineWait({ what, theme }: { what: string; theme: Theme }) {
  return (
    <Text wrap="truncate-end">
      <Text {...theme.look('running')}>
        <Spinner type={theme.isAscii ? 'line' : 'dots'} />
      </Text>{' '}
      {what}
    </Text>
  );
}
