/** What a command may touch of the process that it runs in. Handed in, so that tests can be the process. */
export interface CommandIo {
  /** Absolute. Relative paths in flags start here. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}
