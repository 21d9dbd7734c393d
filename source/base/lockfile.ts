/** What is imported late of the package that locks files; see `yaml.ts`. */
export { lock, lockSync } from 'proper-lockfile';
