'use strict';

// Set here, because a variable in front of a command needs a Unix shell.
process.env.SCREENSHOTS = 'docs/images';

/** The pictures of the docs, taken by the browser's tests. */
module.exports = require('./jest.e2e.config.cjs');
