#pragma once

void addOne(float *data, int n);
