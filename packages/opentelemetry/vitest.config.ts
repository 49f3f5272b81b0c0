import { project } from '../../test/vitest.project.ts';

export default project('opentelemetry', { typeTests: true });
