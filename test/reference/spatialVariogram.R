# Writes spatialVariogram.json beside this file: variograms and spherical fits of gstat, the references of
# test/checkers/CVL006-spatial-proximity/variogram.test.ts. Run: Rscript test/reference/spatialVariogram.R (R packages sp, gstat, jsonlite)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
suppressMessages({
  library(sp)
  library(gstat)
})
set.seed(20260101)

case <- function(name, n, range, nugget, scale) {
  x <- runif(n) * scale
  y <- runif(n) * scale
  h <- as.matrix(dist(cbind(x, y))) / (range * scale)
  covariance <- (1 - nugget) * ifelse(h < 1, 1 - 1.5 * h + 0.5 * h^3, 0) + diag(nugget, n)
  z <- round(as.vector(t(chol(covariance)) %*% rnorm(n)), 3)
  x <- round(x, 4)
  y <- round(y, 4)
  data <- data.frame(x, y, z)
  coordinates(data) <- ~ x + y
  cutoff <- sqrt(diff(base::range(x))^2 + diff(base::range(y))^2) / 3
  v <- variogram(z ~ 1, data, cutoff = cutoff, width = cutoff / 15)
  # Started near the answer and run to convergence: gstat stops early by default.
  fit <- fit.variogram(v, vgm(1 - nugget, "Sph", range * scale, nugget), fit.method = 7)
  for (again in 1:20) fit <- fit.variogram(v, fit, fit.method = 7)
  list(name = name, x = x, y = y, z = z, cutoff = cutoff,
       np = v$np, dist = v$dist, gamma = v$gamma,
       nugget = fit$psill[1], sill = fit$psill[2], range = fit$range[2], error = attr(fit, "SSErr"))
}

cases <- list(
  case("short range", 90, 0.2, 0.2, 100),
  case("no nugget", 80, 0.3, 0.02, 1),
  case("large numbers", 90, 0.25, 0.1, 50000)
)
write(jsonlite::toJSON(list(
  versions = list(R = R.version.string, gstat = as.character(packageVersion("gstat"))),
  cases = cases
), auto_unbox = TRUE, digits = NA, pretty = FALSE), file.path(here, "spatialVariogram.json"))
