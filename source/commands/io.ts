/** What a command may touch of the process that it runs in. Handed in, so that tests can be the process. */
export interface CommandIo {
  /** How the person starts evalrun, for lines that can be pasted: `evalrun`, or `node dist/evalrun.js` in a clone. */
  program: string;
  /** Absolute. Relative paths in flags start here. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}
