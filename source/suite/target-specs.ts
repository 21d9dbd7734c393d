import type { Json } from '../base/json.js';

/** One HTTP call of an `http` target: one method with its path, a body, and headers of its own. */
export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below baseURL, or a whole URL; `{{name}}` is filled in, percent-encoded. */
  path: string;
  /** `{{name}}` is filled in; a value that is nothing but `'{{name}}'` becomes the JSON value itself. */
  body?: Json;
  headers?: Record<string, string>;
}

/** The call that sends a message, and where things stand in its answer (JSONPaths). */
export interface HttpSend extends HttpCall {
  stream?: 'sse';
  /** In an event of the stream: the next piece of the reply. */
  delta?: string;
  reply?: string;
  toolCalls?: string;
  usage?: { input?: string; output?: string; cacheRead?: string; cacheWrite?: string };
  signals?: Record<string, string>;
  suggestions?: string;
  model?: string;
  version?: string;
  ended?: string;
  fallback?: string;
}

export interface HttpTargetSpec {
  kind: 'http';
  /** `${NAME}` is taken from the environment, here and in headers. */
  baseURL: string;
  headers: Record<string, string>;
  tuning?: HttpCall;
  reset?: HttpCall;
  open?: HttpCall & { save?: Record<string, string> };
  send: HttpSend;
  close?: HttpCall;
  /** Seconds without a byte before a request counts as dead. */
  timeoutSeconds: number;
}

export interface CommandTargetSpec {
  kind: 'command';
  /** Program and arguments; no shell. */
  command: string[];
  /** Folder it runs in, absolute. */
  cwd: string;
  /** Variables added to its environment; `${NAME}` is taken from the person's. */
  env: Record<string, string>;
  /** Workers kept between trials; not set: one process a trial. */
  pool?: number;
  /** Seconds without a line before a request counts as dead. */
  timeoutSeconds: number;
}

export interface ModuleTargetSpec {
  kind: 'module';
  /** Absolute path of a TypeScript or JavaScript module. */
  file: string;
  timeoutSeconds: number;
}
