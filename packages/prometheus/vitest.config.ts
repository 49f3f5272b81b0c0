import { project } from '../../test/vitest.project.ts';
import { findPrometheus } from './test/find-prometheus.ts';

const exclude =
  findPrometheus() === undefined ? ['**/*.prometheus.test.ts'] : ['**/no-prometheus.test.ts'];

export default project('prometheus', { typeTests: true, exclude });
