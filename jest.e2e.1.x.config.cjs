'use strict';

// Set here, because a variable in front of a command needs a Unix shell.
process.env.N8N_LINE = '1';

/** The end-to-end tests of the operations and the promises in n8n 1. */
module.exports = require('./jest.e2e.config.cjs');
